import { existsSync } from 'node:fs'
import { join } from 'node:path'

export function findEngine(): string {
  const places = [join(import.meta.dirname, 'engine.js'), join(import.meta.dirname, '..', 'engine.js')]
  return places.find((path) => existsSync(path)) ?? places[0]!
}
