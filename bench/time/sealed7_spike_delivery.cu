// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spikes of a network of neurons: each neuron that fired sends the weights of its synapses to those
// that they lead to, in the slot of the time when they come, unless a synapse was pruned. A synapse
// is a slot and a weight.

__global__ void spike_delivery(const int *__restrict__ order, const int *__restrict__ begin,
                               const int2 *__restrict__ synapses, int *__restrict__ slots,
                               int *__restrict__ sent, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int end = begin[item + 1], count = 0;
  for (int k = begin[item]; k < end; ++k) { // loop: synapses
    int2 synapse = synapses[k];
    if (synapse.y != 0) { // branch: alive
      atomicAdd(&slots[synapse.x], synapse.y);
      ++count;
    }
  }
  sent[item] = count;
}
