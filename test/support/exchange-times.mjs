// One of several ranks: how long a gather of a word takes, and how many bytes a millisecond come through. Rank 0 prints both.
import { MpiExchange } from '../../workers/exchange/mpi-exchange.ts'

const TIMES = 200
const BYTES = 4 << 20
const exchange = new MpiExchange({ aborted: false })

async function msOf(words, times) {
  await exchange.gather(words).result()
  const startMs = performance.now()
  for (let i = 0; i < times; i++) await exchange.gather(words).result()
  return (performance.now() - startMs) / times
}

const latencyMs = await msOf(new Uint32Array(new ArrayBuffer(4)), TIMES)
const wholeMs = await msOf(new Uint32Array(new ArrayBuffer(BYTES)), 20)
const bytesPerMs = (BYTES * (exchange.ranks - 1)) / Math.max(1e-3, wholeMs - latencyMs)
if (exchange.rank === 0) console.log(JSON.stringify({ latencyMs, bytesPerMs }))
await exchange.end()
exchange.finish()
