import type { ServiceEvent } from '../contract/events.ts'

export class Listeners {
  readonly #listeners = new Set<(event: ServiceEvent) => void>()

  /** @returns what ends it */
  add(listener: (event: ServiceEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  tell(event: ServiceEvent): void {
    for (const listener of this.#listeners) listener(event)
  }
}
