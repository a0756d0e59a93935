// Owns running independent tasks on several threads. Tasks are numbered; which thread runs which is left to
// chance, so whatever a task makes is stored by its number and results do not depend on the thread count.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <string>

#include "base/files.h"

namespace rangewise {

// `requested`, or as many as the machine has cores when it is 0; at least 1.
int ThreadCount(int requested);

// Calls body(worker, task) for each task of [0, tasks), tasks taken in order by at most `threads` workers, which
// are numbered from 0. Returns when all are done. An exception out of a body is thrown again here, once.
void ParallelFor(int threads, size_t tasks, const std::function<void(int, size_t)>& body);

// As ParallelFor for text: make(worker, task, buffer) appends a piece to an empty buffer, and the pieces reach
// `output` in the order of their tasks. At most about two pieces per worker are held in memory.
void WriteInOrder(int threads, size_t tasks, Output& output,
                  const std::function<void(int, size_t, std::string&)>& make);

}  // namespace rangewise
