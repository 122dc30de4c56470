import { onScopeDispose } from 'vue'
import { useDevices } from '../stores/devices.ts'

const EVERY_MS = 2000

/** Reads what is free on the devices again and again, for as long as a page shows it and is in sight. */
export function useLiveMemory(): void {
  const devices = useDevices()
  const read = (): void => {
    // A reading that fails is made up for by the next one.
    if (!document.hidden) void devices.readMemory().catch(() => {})
  }
  read()
  const timer = setInterval(read, EVERY_MS)
  onScopeDispose(() => clearInterval(timer))
}
