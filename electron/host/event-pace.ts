import type { ServiceEvent } from '../contract/events.ts'
import { isUnderWay } from '../contract/work.ts'

/** Between two messages about one thing. */
const INTERVAL_MS = 100

/** Progress ten times a second at most: any event about the same thing replaces one that waits. */
export class EventPace {
  readonly #send: (event: ServiceEvent) => void
  readonly #lastMs = new Map<string, number>()
  readonly #waiting = new Map<string, ServiceEvent>()
  #timer: NodeJS.Timeout | undefined

  constructor(send: (event: ServiceEvent) => void) {
    this.#send = send
  }

  tell(event: ServiceEvent): void {
    const key = keyOf(event)
    if (key === null) return this.#send(event)
    if (!isProgress(event)) return this.#sendNow(key, event)
    const sinceMs = performance.now() - (this.#lastMs.get(key) ?? -INTERVAL_MS)
    if (sinceMs >= INTERVAL_MS) return this.#sendNow(key, event)
    this.#waiting.set(key, event)
    this.#timer ??= setTimeout(() => this.#sendWaiting(), INTERVAL_MS - sinceMs)
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#waiting.clear()
  }

  #sendNow(key: string, event: ServiceEvent): void {
    this.#waiting.delete(key)
    if (isProgress(event)) this.#lastMs.set(key, performance.now())
    else this.#lastMs.delete(key)
    this.#send(event)
  }

  #sendWaiting(): void {
    this.#timer = undefined
    const events = [...this.#waiting.values()]
    this.#waiting.clear()
    for (const event of events) this.tell(event)
  }
}

/** null where every event counts. */
function keyOf(event: ServiceEvent): string | null {
  if (event.type === 'progress') return `progress ${event.subject} ${event.of}`
  return event.type === 'work-changed' ? `work ${event.work.id}` : null
}

function isProgress(event: ServiceEvent): boolean {
  if (event.type === 'progress') return true
  return event.type === 'work-changed' && isUnderWay(event.work) && event.work.progress !== null
}
