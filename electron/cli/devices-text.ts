import type {
  BindingProof,
  DeviceBenchmark,
  DeviceFacts,
  DevicesOutcome,
  DiskBenchmark,
  Spread,
} from '../../workers/contract/jobs.ts'
import { bytes, table } from './text.ts'

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
