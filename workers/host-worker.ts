import { exportSet } from './export/export-set.ts'
import { manageViews } from './graph/views/manage-views.ts'
import { generateGraph } from './ingest/generate-graph.ts'
import { importGraph } from './ingest/import-graph.ts'
import { sampleCities } from './ingest/sample-cities.ts'
import { serveJobs } from './serve-jobs.ts'
import { verify } from './verification/verify.ts'

/** Entry of a thread that works on files and in memory only. */
serveJobs({ import: importGraph, generate: generateGraph, sample: sampleCities, verify, export: exportSet, views: manageViews })
