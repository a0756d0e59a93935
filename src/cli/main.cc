// The program: hands argv to the command line and returns its exit code.
#include "base/memory.h"
#include "cli/cli.h"

int main(int argc, char** argv) {
  rangewise::ReturnFreedArrays();
  return rangewise::cli::Main(argc, argv);
}
