// TC-MIS beside ECL-MIS by the same priority, kernels alone: repeated in one engine, whose device stays open, so that its clocks rise.
import { listed } from '../program.mjs'
import { generatorChoice } from '../graphs.mjs'
import { ServiceInProcess } from '../../test/support/service-in-process.mjs'

export async function measure(program, { graphs, device, priority, seeds, repeats }) {
  const host = new ServiceInProcess()
  try {
    const { devices } = await host.service.call('devices', {})
    const facts = devices.find(({ id }) => id === device)
    const countings = (facts?.subgroupMatrices ?? []).length > 0 ? ['integer', 'tensor'] : ['integer']
    const ways = [
      ['ECL-MIS', { algorithm: 'ecl-mis', priority: 'ecl' }],
      ...listed(seeds).flatMap((count) =>
        countings.map((counting) => [
          `TC-MIS, ${counting}, seeds: ${count}`,
          { algorithm: 'tc-mis', priority, seeds: Number(count), counting },
        ]),
      ),
    ]
    const rows = []
    for (const name of listed(graphs)) {
      const { dataset } = await host.generate({ ...generatorChoice(name, program.down), name })
      const row = { graph: name, vertices: dataset.vertices, arcs: dataset.arcs }
      for (const [title, request] of ways) {
        const times = await kernelTimes(host, { dataset: name, device, ...request }, Number(repeats))
        row[`${title}, ms`] = times.ms
        row.size ??= times.size
      }
      rows.push(row)
    }
    return rows
  } finally {
    await host.close()
  }
}

async function kernelTimes(host, request, repeats) {
  const ms = []
  let size
  // The first run warms the device and cuts the tiles.
  for (let i = 0; i <= repeats; i++) {
    const run = await host.wait(await host.start(request))
    if (run.state !== 'done') throw new Error(`${request.dataset}: ${run.state}, ${JSON.stringify(run.failure)}`)
    if (i > 0) ms.push(run.record.outcome.time.kernelMs)
    size = run.size
  }
  return { ms, size }
}
