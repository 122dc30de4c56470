// Breadth-first search as Graph500 measures it, by number of workers, partition, messages and direction.
import { listed } from '../program.mjs'

/** Rows of workers that make a partition of so many: one is 1-D. */
const rowsOf = (workers) => (workers < 4 ? [1, workers] : [1, 2]).filter((rows, i, all) => all.indexOf(rows) === i)

export async function* measure(program, { graphs, devices, counts, algorithm, directions, messages, searches }) {
  for (const name of listed(graphs)) {
    const dataset = program.dataset(name)
    for (const workers of listed(counts).map(Number))
      for (const grid of rowsOf(workers))
        for (const direction of listed(directions))
          for (const kind of workers === 1 ? ['shortest'] : listed(messages)) {
            const all = listed(devices)
            const chosen = Array.from({ length: workers }, (_, worker) => all[worker % all.length]).join(',')
            const words = ['--algorithm', algorithm, '--devices', chosen, '--partitions', String(workers)]
            const how = ['--rows', String(grid), '--direction', direction, '--messages', kind, '--searches', searches]
            const { document, seconds } = await program.timed(['run', dataset, ...words, ...how])
            program.same(`${name}, ${algorithm}`, document.result.hash)
            const { counters, time, bytes } = document
            yield {
              graph: name,
              devices: chosen,
              grid: `${grid} x ${workers / grid}`,
              direction,
              messages: kind,
              MTEPS: counters.teps / 1e6,
              'of a search, ms': time.computeMs / Number(searches),
              'exchange, ms': time.exchangeMs,
              'lists, MB': counters.listBytes / 1e6,
              'bitmaps, MB': counters.bitmapBytes / 1e6,
              'exchanged, MB': bytes.exchanged / 1e6,
              'whole, s': seconds,
            }
          }
  }
}
