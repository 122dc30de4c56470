import type { JobTable } from './serve-jobs.ts'

/** What does each job, loaded when it is asked for. */
export const jobTable: JobTable = {
  import: async () => (await import('../import/containers/import-file.ts')).importFile,
  link: async () => (await import('../import/canonical/import-canonical.ts')).importLink,
  store: async () => (await import('../import/canonical/import-canonical.ts')).storeLink,
  pack: async () => (await import('../graph/packed/pack-graph.ts')).packGraph,
  'unpack-graph': async () => (await import('../graph/packed/pack-graph.ts')).unpackGraph,
  generate: async () => (await import('../jobs/generate-graph.ts')).generateGraph,
  sample: async () => (await import('../jobs/sample-cities.ts')).sampleCities,
  complement: async () => (await import('../jobs/complement-graph.ts')).complementGraph,
  devices: async () => (await import('../device/open-device.ts')).surveyDevices,
  run: async () => (await import('../algorithms/run.ts')).runOnSoundInputs,
  batch: async () => (await import('../jobs/batch-graphs.ts')).batchGraphs,
  'join-run': async () => (await import('../algorithms/run.ts')).joinRun,
  plan: async () => (await import('../jobs/plan.ts')).planWork,
  verify: async () => (await import('../jobs/verify-result.ts')).verifyResult,
  export: async () => (await import('../export/export-set.ts')).exportSet,
  archive: async () => (await import('../jobs/archive-run.ts')).archiveRun,
  'unpack-graphs': async () => (await import('../jobs/unpack-graphs.ts')).unpackGraphs,
  unpack: async () => (await import('../jobs/archive-run.ts')).unpackArchive,
  'export-graph': async () => (await import('../export/formats/write-graph-file.ts')).writeGraphFile,
  degrees: async () => (await import('../graph/degrees.ts')).degreeDistribution,
  'value-counts': async () => (await import('../explore/value-counts.ts')).valueCounts,
  'graph-facts': async () => (await import('../explore/graph-facts.ts')).graphFacts,
  preview: async () => (await import('../import/preview/preview-file.ts')).previewFiles,
  contents: async () => (await import('../import/containers/list-graphs.ts')).listGraphs,
  'vertex-search': async () => (await import('../explore/opened-dataset.ts')).searchVertices,
  neighbourhood: async () => {
    const { neighbourhood } = await import('../explore/neighbourhood.ts')
    return (await import('../explore/with-attributes.ts')).withAttributes(neighbourhood)
  },
  'result-rows': async () => (await import('../explore/result-rows.ts')).resultRows,
  overview: async () => {
    const { overview } = await import('../explore/overview.ts')
    return (await import('../explore/with-attributes.ts')).withAttributes(overview)
  },
  'open-nodes': async () => {
    const { openNodes } = await import('../explore/opened-nodes.ts')
    return (await import('../explore/with-attributes.ts')).withAttributes(openNodes)
  },
  layout: async () => (await import('../explore/force-layout.ts')).layoutOf,
  mpi: async () => {
    const { requireMpi } = await import('../exchange/mpi-library.ts')
    return () => ({ library: requireMpi().name })
  },
  'device-memory': async () => (await import('../device/machine.ts')).liveMemory,
}
