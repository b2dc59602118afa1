// Progress.cpp - draws the bar.
#include "runtime/report/Progress.h"

#include <cstdio>
#include <sys/ioctl.h>
#include <unistd.h>

namespace labgen {

Progress::Progress(std::string what)
    : what(std::move(what)), terminal(isatty(STDERR_FILENO)) {}

std::string Progress::line(const std::string &what, size_t done, size_t total,
                           const std::string &current, size_t width) {
  constexpr size_t cells = 20;
  size_t filled = total ? done * cells / total : cells;
  std::string text = what + " [" + std::string(filled, '#') +
                     std::string(cells - filled, '.') + "] " +
                     std::to_string(done) + "/" + std::to_string(total) + " " +
                     current;
  return text.substr(0, width);
}

void Progress::show(size_t done, size_t total, const std::string &current) {
  if (!terminal)
    return;
  winsize window = {};
  size_t width = 79;
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 1)
    width = size_t(window.ws_col) - 1;
  // Carriage return, line, erase to the end.
  std::fprintf(stderr, "\r%s\x1b[K",
               line(what, done, total, current, width).c_str());
  std::fflush(stderr);
  drawn = true;
}

void Progress::clear() {
  if (!drawn)
    return;
  std::fputs("\r\x1b[K", stderr);
  std::fflush(stderr);
  drawn = false;
}

} // namespace labgen
