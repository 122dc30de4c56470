import type { PciGpu, Vendor } from './machine.ts'

/** Identical GPUs are listed once. */
export interface ListedAdapter {
  readonly backend: string
  readonly name: string
}

export type Choice =
  | { readonly by: 'preference' }
  | { readonly by: 'name'; readonly name: string }
  | { readonly by: 'address'; readonly address: string }

export interface GpuSlot {
  readonly id: string
  /** null: only the adapter knows. */
  readonly name: string | null
  readonly software: boolean
  readonly pci: PciGpu | null
  readonly choice: Choice
}

export interface GpuSlots {
  readonly slots: readonly GpuSlot[]
  readonly note: string | null
}

const SOFTWARE = /swiftshader|llvmpipe|lavapipe|software|basic render/i
/** Dawn's own backend on each system; the others show the same GPUs again. */
const NATIVE_BACKENDS = ['vulkan', 'metal', 'd3d12']

export const isSoftware = (name: string): boolean => SOFTWARE.test(name)

/** The adapters that Dawn lists when it is asked for an unknown name. */
export function parseListedAdapters(text: string): readonly ListedAdapter[] {
  const listed = [...text.matchAll(/^ \* backend: '([^']*)', name: '(.*)'$/gm)]
  return listed
    .map(([, backend, name]) => ({ backend: backend!, name: name! }))
    .filter(({ backend }) => NATIVE_BACKENDS.includes(backend))
}

/**
 * Hardware by PCI address where Vulkan and the bus agree on how many there are, then software. @param obstacle why
 * GPUs cannot be chosen by address
 */
export function planSlots(
  listed: readonly ListedAdapter[],
  pciGpus: readonly PciGpu[],
  obstacle: string | null,
): GpuSlots {
  const hardware = listed.filter(({ name }) => !isSoftware(name)).map(({ name }) => name)
  const software = [...new Set(listed.map(({ name }) => name).filter(isSoftware))]
  const pairs = pairWithBus(hardware, pciGpus)
  const chosen =
    hardware.length === 1
      ? { parts: [{ name: hardware[0]!, pci: pairs?.[0]?.pci ?? null, choice: soleChoice(listed) }], note: null }
      : pairs !== null && obstacle === null
        ? { parts: pairs.map((pair) => ({ ...pair, choice: byAddress(pair.pci.address) })), note: null }
        : byName(hardware, pairs, obstacle ?? 'the PCI bus and the graphics driver disagree on the number of GPUs')
  const parts = [
    ...chosen.parts.map((part) => ({ ...part, software: false })),
    ...software.map((name) => ({ name, pci: null, choice: { by: 'name', name } as const, software: true })),
  ]
  return { slots: parts.map((part, index) => ({ id: `gpu:${index}`, ...part })), note: chosen.note }
}

interface Part {
  readonly name: string | null
  readonly pci: PciGpu | null
  readonly choice: Choice
}

interface Pair {
  readonly name: string | null
  readonly pci: PciGpu
}

const byAddress = (address: string): Choice => ({ by: 'address', address })

const soleChoice = (listed: readonly ListedAdapter[]): Choice =>
  listed.length === 1 ? { by: 'preference' } : { by: 'name', name: listed.find(({ name }) => !isSoftware(name))!.name }

/** Slots by name: Dawn's first of identical GPUs. */
function byName(
  hardware: readonly string[],
  pairs: readonly Pair[] | null,
  obstacle: string,
): { parts: Part[]; note: string | null } {
  const named = pairs?.flatMap(({ name }) => name ?? []) ?? []
  const names = [...new Set([...named, ...hardware])]
  const groups = names.map((name) => ({ name, count: hardware.filter((other) => other === name).length }))
  const parts = groups.map(({ name, count }) => {
    const pci = count === 1 ? (pairs?.find((pair) => pair.name === name)?.pci ?? null) : null
    return { name, pci, choice: { by: 'name', name } as const }
  })
  const lost = groups.filter(({ count }) => count > 1)
  if (lost.length === 0) return { parts, note: null }
  const which = lost.map(({ name, count }) => `${count} GPUs called ${name}`).join(' and ')
  return { parts, note: `${which} cannot be told apart, so only one of them is offered: ${obstacle}` }
}

const namePatterns: readonly (readonly [Vendor, RegExp])[] = [
  ['nvidia', /nvidia|geforce|quadro|tesla/i],
  ['amd', /\bamd\b|radeon|radv/i],
  ['intel', /intel/i],
]

const vendorOf = (name: string): Vendor => namePatterns.find(([, pattern]) => pattern.test(name))?.[0] ?? 'other'

/** Pairs GPUs with the bus, without those that have no Vulkan driver. null: they cannot be paired with certainty. */
function pairWithBus(hardware: readonly string[], pciGpus: readonly PciGpu[]): readonly Pair[] | null {
  const pairs: Pair[] = []
  for (const vendor of new Set(hardware.map(vendorOf))) {
    const names = hardware.filter((name) => vendorOf(name) === vendor)
    const gpus = pciGpus.filter((gpu) => gpu.vendor === vendor)
    const paired = vendor === 'other' ? null : pairOneVendor(names, gpus)
    if (paired === null) return null
    pairs.push(...paired)
  }
  const order = new Map(pciGpus.map((gpu, index) => [gpu, index]))
  return pairs.sort((a, b) => order.get(a.pci)! - order.get(b.pci)!)
}

function pairOneVendor(names: readonly string[], gpus: readonly PciGpu[]): Pair[] | null {
  if (names.length !== gpus.length) return null
  if (new Set(names).size === 1) return gpus.map((pci) => ({ name: names[0]!, pci }))
  const known = gpus.map(({ name }) => name ?? '').sort()
  const agree = [...names].sort().every((name, i) => name === known[i])
  return gpus.map((pci) => ({ name: agree ? pci.name : null, pci }))
}
