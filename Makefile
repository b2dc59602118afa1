# The front door: `make` lists the targets, `make run` and `make test` do
# everything from a bare Debian 12 on. CMake presets and build/bin/ hold the
# real thing; nothing here is needed to use them by hand.
BUILD := build
JOBS := $(shell nproc)
# ccache keeps precompiled headers only when told so.
export CCACHE_SLOPPINESS := pch_defines,time_macros
CTEST = ctest --test-dir $(BUILD) -j $(JOBS) --output-on-failure --no-tests=error

.DEFAULT_GOAL := help
.PHONY: help setup build run test test-all bench clean \
  run-exercises run-cpu run-cuda run-hip check-exercise

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-15s %s\n", $$1, $$2}' Makefile

setup: ## install what is missing: Debian packages, Python packages in .venv
	@scripts/setup.sh

build: setup ## build labgen, labgen-opt and labgen-run into build/bin
	@test -e $(BUILD)/build.ninja || cmake --preset release --log-level=WARNING
	@cmake --build $(BUILD) -j $(JOBS) --target labgen labgen-opt labgen-run

# Always measures anew; the run before stays beside it, to compare with.
run: build ## measure the set "quick" on this CPU and print the report
	@mkdir -p out && rm -rf out/quick.previous
	@if [ -e out/quick ]; then mv out/quick out/quick.previous; fi
	@$(BUILD)/bin/labgen matrix quick --target cpu -o out/quick

test: build ## run the tests
	@cmake --build $(BUILD) -j $(JOBS)
	@$(CTEST) -LE slow

test-all: build ## run the tests and the slow ones
	@cmake --build $(BUILD) -j $(JOBS)
	@$(CTEST)

bench: build ## measure launch cost, kernels against roofs, compiling for GPUs
	@cmake --build $(BUILD) -j $(JOBS)
	@for bench in $(BUILD)/bin/labgen-bench-*; do $$bench || exit 1; done
	@.venv/bin/python bench/kernels.py $(BUILD)/bin/labgen
	@.venv/bin/python bench/gpu_compile.py $(BUILD)/bin/labgen

run-cpu: build ## run the numerics labs on this CPU
	@$(BUILD)/bin/labgen lab all

run-cuda: build ## run the labs on an NVIDIA GPU, or its emulation
	@scripts/run_labs.sh $(BUILD)/bin/labgen cuda:0 nvvm:sm_90a

run-hip: build ## run the labs on an AMD GPU, or its emulation
	@scripts/run_labs.sh $(BUILD)/bin/labgen hip:0 rocdl:gfx942

# The configuration of exercises/b05/01_size_a_model.md.
SIZE_A_MODEL := python3 tools/model_calculator.py --layers 80 --hidden 8192 \
  --heads 64 --kv-heads 8 --ffn 28672 --gated yes --vocab 128256

run-exercises: setup ## calculate drill 1 of exercises/b05
	@$(SIZE_A_MODEL) --context 4096,32768 --batch 1 --chip MI300X \
	  --chip "H100 SXM" --training-tokens 1e12 --training-devices 1024 \
	  --training-share 0.4
	@printf '\n\nThe nominal 70B: weights of 70e9 parameters, else the same\n\n'
	@$(SIZE_A_MODEL) --params 70e9 --context 4096 --batch 1 --chip MI300X \
	  --weights bf16

check-exercise: build ## check your answer to drill N of exercises/mlir
	@python3 exercises/mlir/check.py "$(N)" --labgen $(BUILD)/bin/labgen

clean: ## remove the build (out/ and .venv stay)
	rm -rf $(BUILD) build-dev build-asan
