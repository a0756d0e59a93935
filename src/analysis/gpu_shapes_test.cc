#include "analysis/gpu_shapes.h"

#include <gtest/gtest.h>

namespace rangewise::analysis {
namespace {

TEST(GpuShapes, KnowCommunicationLibraries) {
  for (const char* name :
       {"ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<(unsigned long)4096>)",
        "ncclKernel_Broadcast_RING_LL_Sum_int8_t(ncclWorkElem)", "void nvshmemi_transfer_kernel<int>(int)",
        "void deep_ep::intranode::dispatch<(int)8, (int)768>(int4 *)", "mscclKernel_Sum_half(mscclWork)",
        "void mscclpp::allreduce<float>(float *)", "void vllm::cross_device_reduce_2stage<float, 4>(int)",
        "void (anonymous namespace)::two_shot_all_reduce_kernel<float>(float **)"}) {
    EXPECT_TRUE(IsCommunicationKernel(name)) << name;
  }
  for (const char* name : {"gemm(float, int)", "void at::native::reduce_kernel<512, 1>(nccl)",
                           "void my_kernel<ncclComm>(int)", "vectorized_dispatch_kernel", ""}) {
    EXPECT_FALSE(IsCommunicationKernel(name)) << name;
  }
}

}  // namespace
}  // namespace rangewise::analysis
