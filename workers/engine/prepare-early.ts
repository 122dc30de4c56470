import { availableParallelism } from 'node:os'
import type { JobName } from '../contract/jobs.ts'
import type { Device } from '../device/device.ts'
import { CHECKED_BYTES_EACH, PARSED_BYTES_EACH } from '../import/import-tuning.ts'
import { NO_DEVICE, type ThreadStart, warmThreads } from '../threads/thread-pool.ts'

/** What a first job is known of before its arguments. */
export interface FirstJob {
  readonly first: JobName
  /** As --devices lists them. */
  readonly devices: string
  /** Of the file to import. */
  readonly bytes: number
}

/** A large graph has more of them started. */
const MOST_THREADS = 15

const isHost = (id: string): boolean => /^cpu:\d+$/.test(id)
const several = (count: number, task: string): ThreadStart[] =>
  Array.from({ length: Math.min(availableParallelism(), Math.floor(count)) }, () => ({ task, device: NO_DEVICE }))
const scanThreads = (): ThreadStart[] => several(Math.min(MOST_THREADS, availableParallelism() - 1), 'scan-set')

/** The threads that the job will need; each GPU after the first is opened in one of its own. */
export function threadsOf({ first, devices, bytes }: FirstJob): readonly ThreadStart[] {
  if (first === 'link') return several(bytes / CHECKED_BYTES_EACH, 'ingest')
  if (first === 'import') return several(bytes / PARSED_BYTES_EACH, 'ingest')
  if (first !== 'run') return []
  const [lead, ...others] = devices.split(',')
  const gpus = others.filter((device) => !isHost(device)).map((device) => ({ task: 'scan-set-on-device', device }))
  return [lead!, ...others].some(isHost) ? [...gpus, ...scanThreads()] : gpus
}

/** The first device of a run, and threads where it turns out to be the processor. */
export async function prepareLead(devices: string): Promise<void> {
  const { facts } = await prepareDevice(devices.split(',')[0]!)
  if (devices === 'auto' && isHost(facts.id)) warmThreads(scanThreads().length, 'scan-set')
}

/** For the next call that opens it, in this thread. @throws as `openDevice`; so does that call */
export async function prepareDevice(id: string): Promise<Device> {
  const { openEarly } = await import('../device/open-device.ts')
  const device = await openEarly(id)
  if (isHost(device.facts.id)) return device
  const { setKernels } = await import('../algorithms/ecl-mis/device-scan.ts')
  const { pieceSums } = await import('../../kernels/memory/piece-sums.ts')
  await device.prepare([...setKernels, pieceSums])
  return device
}
