// Commands.cpp - labgen's command table: what parses, and what --help says.
#include "tools/labgen/Commands.h"

namespace labgen {

namespace {

const FlagSpec target = {"--target", "T",
                         "compile for T, as cpu:native (default), "
                         "cpu:x86-64-v3, cpu:znver5"};
const FlagSpec schedule = {"--schedule", "S",
                           "schedule attribute in place of the chosen one"};
const FlagSpec json = {"--json", "",
                       "rows as JSON lines in place of the table"};
const FlagSpec noTime = {"--no-time", "", "check, do not time"};
const FlagSpec seed = {"--seed", "N", "of the data; default 1"};
const FlagSpec dist = {
    "--dist", "D",
    "normal (default), uniform, ones, zeros, ties, outliers, extremes"};
const FlagSpec orderSeed = {"--order-seed", "N",
                            "shuffles threads and blocks on emu"};

std::vector<FlagSpec> runFlags() {
  return {
      {"--spec", "SPEC", "the lab that FILE claims to be"},
      {"--batch", "LIST", "run every line of the file LIST; one JSON row each"},
      target,
      {"--device", "D", "where it runs: cpu, cuda:N, hip:N, emu"},
      {"--chip", "C", "the product behind a GPU target's prediction"},
      {"--threads", "N", "threads; default the cores this process may use"},
      {"--grid", "X[,Y[,Z]]", "blocks of the kernels of a FILE.ll"},
      {"--block", "X[,Y[,Z]]", "threads of a block of such"},
      {"--shared", "BYTES", "shared memory of a block behind its own arrays"},
      schedule,
      seed,
      dist,
      noTime,
      orderSeed,
      {"--input", "NAME=F.npy", "an argument from a file", true},
      {"--output", "NAME=F.npy", "an argument into a file", true},
      json};
}

ToolSpec makeTool() {
  const std::string quantize =
      "quantize:m=4096,k=4096,in=f32,out=i8,group=32,scale=f32";
  ToolSpec tool;
  tool.name = "labgen";
  tool.summary = "generates, runs and measures numeric kernels";
  tool.commands = {
      {"list",
       "[SET|FILE]",
       0,
       1,
       "sets of specs, or the specs of one",
       {},
       {"labgen list", "labgen list quick"}},
      {"formats", "", 0, 0, "the number formats", {}, {"labgen formats"}},
      {"chips",
       "[NAME]",
       0,
       1,
       "targets, what code for them may use, and the chips behind them",
       {{"--json", "", "a JSON line per target in place of the table"}},
       {"labgen chips", "labgen chips nvvm:sm_90a", "labgen chips H100"}},
      {"lab",
       "NAME|all",
       1,
       1,
       "a numerics lab: formats, exp-overflow, vanishing-update, dot, "
       "sum-orders, mixed-precision, group-sweep",
       {target,
        {"--device", "D", "where it runs: cpu, cuda:N, hip:N, emu"},
        noTime,
        {"--json", "", "a JSON line per lab in place of the tables"}},
       {"labgen lab all", "labgen lab exp-overflow --target nvvm:sm_90a "
                          "--device emu"}},
      {"gen",
       "SPEC",
       1,
       1,
       "the lab module, on stdout",
       {},
       {"labgen gen axpy:n=1000,type=f32"}},
      {"explain",
       "SPEC",
       1,
       1,
       "the contract of a lab in words",
       {},
       {"labgen explain " + quantize}},
      {"compile",
       "SPEC",
       1,
       1,
       "a kernel, or the IR after any stage",
       {target,
        {"--stop-after", "STAGE",
         "lab, tiled, vector, target, llvm or artifact (default)"},
        {"--emit", "FORM", "of an NVIDIA artifact: ptx (default) or cubin"},
        schedule,
        {"-o", "PATH",
         "a file for IR; at artifact a folder, with manifest.json"}},
       {"labgen compile axpy:n=1000,type=f32 --stop-after vector",
        "labgen compile " + quantize + " -o out/quantize"}},
      {"run",
       "SPEC | FILE.mlir|FILE.ll --spec SPEC | --batch LIST",
       0,
       1,
       "a lab run, checked, timed and reported as one row",
       runFlags(),
       {"labgen run " + quantize,
        "labgen run gemm:m=64,n=64,k=64,a=f32,b=f32 --input a=A.npy --output "
        "c=C.npy",
        "labgen compile axpy:n=1000,type=f32 --stop-after llvm -o axpy.ll && "
        "labgen run axpy.ll --spec axpy:n=1000,type=f32",
        "labgen run --batch runs.txt --no-time"}},
      {"matrix",
       "SET|FILE",
       1,
       1,
       "a whole set compiled, run and reported; goes on where it stopped",
       {{"--target", "T", "as for compile; all: every target built in"},
        {"--filter", "GLOB", "only specs that match, as 'gemm:*'"},
        {"--device", "emu", "run GPU targets on the emulated device"},
        noTime,
        {"-o", "DIR", "folder of the results"},
        json},
       {"labgen matrix quick -o out/quick",
        "labgen matrix ci --target all --device emu --no-time -o out/all",
        "labgen matrix full --filter 'quantize:*' -o out/quantize"}},
      {"bisect",
       "SPEC",
       1,
       1,
       "first stage at which a lab goes wrong: each is run and judged",
       {target,
        schedule,
        {"--at", "STAGE=FILE",
         "IR to take for a stage (lab, tiled, vector, target, llvm) and the "
         "ones behind it",
         true},
        seed,
        dist,
        orderSeed},
       {"labgen bisect axpy:n=1000,type=f32",
        "labgen bisect " + quantize + " --target nvvm:sm_90a",
        "labgen compile axpy:n=1000,type=f32 --target rocdl:gfx942 "
        "--stop-after llvm -o axpy.ll && labgen bisect axpy:n=1000,type=f32 "
        "--target rocdl:gfx942 --at llvm=axpy.ll"}},
  };
  tool.examples = {"labgen run " + quantize, "labgen matrix quick -o out/quick",
                   "labgen compile axpy:n=1000,type=f32 --stop-after vector"};
  return tool;
}

} // namespace

const ToolSpec &labgenTool() {
  static const ToolSpec tool = makeTool();
  return tool;
}

const CommandSpec &commandSpec(const std::string &name) {
  const std::vector<CommandSpec> &commands = labgenTool().commands;
  size_t i = 0;
  while (i + 1 < commands.size() && commands[i].name != name)
    ++i;
  return commands[i];
}

} // namespace labgen
