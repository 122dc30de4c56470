// One of several threads that meet many times; each adds to a sum that all others check at the next meeting. Or one that waits for
// ever and reports why it gave up.
import { parentPort, workerData } from 'node:worker_threads'
import { SharedBarrier } from '../../workers/threads/barrier.ts'

const { control, sums, member, members, rounds, naps, waitsForEver } = workerData
const barrier = new SharedBarrier(control, members)
if (waitsForEver) {
  const ended = await barrier.arrive().catch(({ code }) => code)
  parentPort.postMessage(ended)
  process.exit()
}
let wrong = 0
for (let round = 0; round < rounds; round++) {
  // Some come late, so that the others sleep.
  if (naps && (round + member) % 50 === 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2)
  Atomics.add(sums, round % 2, member + 1)
  await barrier.arrive()
  if (Atomics.load(sums, round % 2) !== (members * (members + 1)) / 2) wrong++
  await barrier.arrive()
  if (member === 0) Atomics.store(sums, round % 2, 0)
}
await barrier.arrive()
parentPort.postMessage({ wrong, waitMs: barrier.waitMs })
