import type { BenchmarkRow, Spread } from '../../service/benchmark.ts'
import { duration } from '../quantity.ts'

/** `edges` counts each undirected edge once. */
export function subjectOf(
  { name, vertices, arcs, maxDegree }: BenchmarkRow['dataset'],
  device: BenchmarkRow['device'],
) {
  const graph = { name, vertices, edges: arcs / 2, maxDegree }
  return { graph, device: device.id, deviceName: device.name, driver: device.driver }
}

export const spreadText = ({ median, min, max }: Spread): string =>
  `${duration(median)} (${duration(min)} - ${duration(max)})`
