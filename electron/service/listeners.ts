import type { ServiceEvent } from '../contract/events.ts'

/** Everybody who wants to hear what changes. */
export class Listeners {
  readonly #listeners = new Set<(event: ServiceEvent) => void>()

  /** Returns the function that ends listening. */
  add(listener: (event: ServiceEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  tell(event: ServiceEvent): void {
    for (const listener of this.#listeners) listener(event)
  }
}
