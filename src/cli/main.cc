// The program: hands argv to the command line and returns its exit code.
#include "cli/cli.h"

int main(int argc, char** argv) { return rangewise::cli::Main(argc, argv); }
