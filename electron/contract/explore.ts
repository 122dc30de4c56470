import { z } from 'zod'
import {
  graphFactsSchema,
  layoutArgsSchema,
  layoutSchema,
  neighbourhoodPart,
  neighbourhoodSchema,
  overviewPart,
  overviewSchema,
  resultRowsSchema,
  searchPart,
  shownRows,
  tablePart,
  vertexSearchSchema,
} from '../../workers/contract/explore.ts'

const dataset = z.string()
/** `against`: a second run of the same dataset, to compare with. */
const marked = { dataset, run: z.string().optional(), against: z.string().optional() }

/** The calls of pages that show a graph. */
export const exploreCalls = {
  'explore.search': { args: z.object({ dataset, ...searchPart }), result: vertexSearchSchema },
  /** Of the whole graph, in one pass. `onlyKept`: what was counted before, else null. */
  'explore.facts': {
    args: z.object({ dataset, onlyKept: z.boolean() }),
    result: z.object({ facts: graphFactsSchema.nullable() }),
  },
  'explore.neighbourhood': { args: z.object({ ...marked, ...neighbourhoodPart }), result: neighbourhoodSchema },
  /** The whole graph, or what one node of such a drawing stands for. */
  'explore.overview': { args: z.object({ ...marked, ...overviewPart }), result: overviewSchema },
  /** Places for a graph of the page's own. */
  'explore.layout': { args: layoutArgsSchema, result: layoutSchema },
  /** A part of the table of a run's result: its members or pairs, the vertices that are left, or what it has in common with another's. */
  'explore.result': {
    args: z.object({ run: z.string(), against: z.string().optional(), show: shownRows, ...tablePart }),
    result: resultRowsSchema,
  },
  /** A part of the table of all vertices. */
  'explore.vertices': { args: z.object({ dataset, ...tablePart }), result: resultRowsSchema },
} as const
