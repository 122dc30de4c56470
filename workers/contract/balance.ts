import { z } from 'zod'
import { count } from './schema.ts'

/** What became of all that files hold: each `total` is the sum of the counts beside it. */
export const balanceSchema = z.object({
  /** null where the format has neither lines nor rows, as binary files and XML. */
  lines: z
    .object({
      /** Rows are those of Parquet and Arrow, which have no header, comments or blanks. */
      unit: z.enum(['lines', 'rows']),
      total: count,
      /** Names of columns, also where they stand again; banners, sizes, counts, problem lines. */
      header: count,
      comments: count,
      blank: count,
      /** Lines about vertices: the lists of METIS, the numbers of PBBS, the lines `n` of DIMACS. */
      vertices: count,
      /** Lines that hold one entry each: all of `entries.total` but where lines are about vertices. */
      entries: count,
      /** Rows left out by the condition (`where`). */
      filtered: count,
      /** Rows that are no edge and were skipped; in a preview all that an import stops at or skips. */
      refused: count,
      /** Lines left out by their weight: by the rule `drop`, and zeros of a dense matrix. */
      dropped: count,
    })
    .nullable(),
  /** Directed entries as they were read. */
  entries: z.object({
    total: count,
    loops: count,
    /** Repeats of an entry (u, v). */
    sameDirection: count,
    /** Entries (v, u) of edges that were read as (u, v) too. */
    bothDirections: count,
    edges: count,
    /** Edges that were given several times, and not always with the same weight; null without weights. No part of the sum. */
    differing: count.nullable(),
  }),
  /** The table of vertices: rows = matched + added + repeated + unknown + refused; vertices of the graph = matched + added + withoutRow. */
  vertices: z
    .object({
      source: z.string(),
      rows: count,
      /** Rows whose vertex has an edge. */
      matched: count,
      /** Rows whose vertex has none. */
      added: count,
      /** Further rows of one vertex. */
      repeated: count,
      /** Rows of no vertex of the graph, where a header counts these. */
      unknown: count,
      /** Rows that were skipped, as they hold no id. */
      refused: count,
      /** Vertices that the table does not have. */
      withoutRow: count,
    })
    .nullable(),
  /** How many weights are not what the file says; null where the graph has none. */
  weights: z
    .object({
      /** Negative weights that lost their sign. */
      absolute: count,
      /** Entries left out for a weight of zero or less. */
      dropped: count,
      /** Weights that became w + offset, where the smallest was zero or less. */
      shifted: count,
      /** Weights that became max + min - w. */
      inverted: count,
      /** Entries without a weight, which got 1. */
      ones: count,
      /** Weights below the range of 32-bit floats, which became its smallest positive number. */
      tiny: count,
      /** Weights that 32-bit floats neither hold nor tell apart, and that were rounded as the import asks; else they are kept whole. */
      rounded: count,
    })
    .nullable(),
})
export type ImportBalance = z.infer<typeof balanceSchema>
