/**
 * When the entries that a thread takes next were matched, as far as that is settled. It is looked up for many of them at a time, where nothing
 * hangs on what is found: so the memory has many accesses to do at once.
 */
export class EntryRounds {
  /** By place in the words that were looked at; see HostBoard's rounds. */
  found = new Uint8Array(0)

  /** @param rounds of HostBoard @param words ids; what is no vertex counts as free */
  look(rounds: Uint8Array, words: Uint32Array, from: number, to: number): void {
    if (this.found.length < words.length) this.found = new Uint8Array(words.length)
    const [found, vertices] = [this.found, rounds.length]
    for (let at = from; at < to; at++) {
      const entry = words[at]!
      found[at] = entry < vertices ? rounds[entry]! : 0
    }
  }

  release(): void {
    this.found = new Uint8Array(0)
  }
}
