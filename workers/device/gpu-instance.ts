import { bindSlot, findSlots } from './bind-gpu.ts'

export { adapterFacts, noAdapter } from './adapters-dawn.ts'

/** The adapter of `gpu:0`, or undefined where there is none. */
export async function findAdapter(): Promise<GPUAdapter | undefined> {
  const [first] = (await findSlots()).slots
  return first === undefined ? undefined : bindSlot(first)
}
