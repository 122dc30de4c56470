import { join } from 'node:path'
import type { Command } from 'commander'
import { devicesSchema } from '../../../workers/contract/devices.ts'
import type { Shell } from '../shell.ts'
import type {
  BindingProof,
  DeviceBenchmark,
  DeviceFacts,
  DevicesOutcome,
  DiskBenchmark,
  Spread,
} from '../../../workers/contract/jobs.ts'
import { bytes, table } from '../text.ts'

interface DevicesOptions {
  readonly benchmark?: boolean
  readonly prove?: boolean
}

export function register(program: Command, shell: Shell): void {
  program
    .command('devices')
    .description('List the devices that runs can use, and say why there is no GPU where there is none.')
    .option('--benchmark', "measure copies to and from each device, its memory, and the library's disk (some seconds)")
    .option('--prove', 'allocate on each GPU in turn and tell which one had less memory free')
    .action(({ benchmark, prove }: DevicesOptions) =>
      shell.open(async ({ library, runner }) => {
        const args = { prove, benchmark: benchmark === true ? { folder: join(library.folder, 'datasets') } : undefined }
        const outcome = devicesSchema.parse(await runner.run('devices', args, shell.job))
        shell.answer(outcome, devicesText(outcome))
      }),
    )
}

export function devicesText({ devices, noGpu, note, proof, benchmarks, disk }: DevicesOutcome): string {
  const parts = [
    deviceTable(devices),
    noGpu === null ? null : `No GPU: ${noGpu}.`,
    note == null ? null : `Note: ${note}.`,
    proof === undefined ? null : proofText(proof),
    benchmarks === undefined ? null : benchmarkTable(benchmarks),
    disk === undefined ? null : diskText(disk),
  ]
  return parts.filter((part) => part !== null).join('\n\n')
}

function deviceTable(devices: readonly DeviceFacts[]): string {
  return table(
    'device | name | driver | memory> | free> | largest buffer> | PCI address | features',
    devices.map((device) => [
      device.id,
      device.software && device.kind === 'gpu' ? `${device.name} (software)` : device.name,
      device.driver,
      quantity(device.memoryBytes),
      quantity(device.memoryFreeBytes),
      quantity(device.maxBindingBytes),
      device.pciAddress ?? '',
      featureText(device),
    ]),
  )
}

const quantity = (value: number | null | undefined): string => (value == null ? '' : bytes(value))

function featureText({ features, subgroupMatrices }: DeviceFacts): string {
  const matrices = (subgroupMatrices ?? []).length
  const words = [
    features.includes('subgroups') ? 'subgroups' : null,
    features.includes('timestamp-query') ? 'timestamps' : null,
    matrices === 0 ? null : `subgroup matrices: ${matrices}`,
  ]
  return words.filter((word) => word !== null).join(', ')
}

function proofText(proof: readonly BindingProof[]): string {
  if (proof.length === 0) return 'Binding: there is no GPU to allocate on.'
  const lines = proof.map(({ id, pciAddress, allocatedBytes, grew, proven, reason }) => {
    if (proven === null) return `${id}: not provable: ${reason}`
    const places = grew.map((place) => `${place.pciAddress} (${bytes(place.bytes)})`).join(' and ')
    const taken = `${bytes(allocatedBytes)} allocated, taken on ${places === '' ? 'no GPU that is seen' : places}`
    return proven ? `${id}: proven: ${taken}` : `${id}: NOT BOUND to ${pciAddress}: ${taken}`
  })
  return ['Binding', ...lines].join('\n')
}

function benchmarkTable(rows: readonly DeviceBenchmark[]): string {
  const figures = table(
    'device | size> | to device> | from device> | copy kernel>',
    rows.map((row) => [row.id, bytes(row.bytes), ...[row.toDevice, row.fromDevice, row.kernel].map(rateText)]),
  )
  const problems = rows.flatMap(({ id, problem }) => (problem === null ? [] : [`${id}: ${problem}`]))
  return [figures, ...problems].join('\n')
}

function rateText(spread: Spread | null): string {
  if (spread === null) return ''
  const [median, min, max] = [spread.median, spread.min, spread.max].map((rate) => (rate / 1e9).toPrecision(3))
  return `${median} GB/s (${min} - ${max})`
}

function diskText({ folder, bytes: size, read, repeats, note }: DiskBenchmark): string {
  const line = `Disk of ${folder}: reads ${rateText(read)} in sequence, ${bytes(size)}, ${repeats} times`
  return note === null ? line : `${line}\n${note}`
}
