import { z } from 'zod'
import type { Neighbourhood, ResultRows, VertexSearch } from '../../workers/contract/jobs.ts'

const id = z.number().int().nonnegative()
const vertex = {
  id,
  label: z.string(),
  name: z.string().nullable(),
  degree: id,
}

export const vertexSearchSchema: z.ZodType<VertexSearch> = z.object({ vertices: z.array(z.object(vertex)) })

export const resultRowsSchema: z.ZodType<ResultRows> = z.object({
  total: id,
  truncated: z.boolean(),
  rows: z.array(
    z.object({
      ...vertex,
      mate: z.object({ ...vertex, weight: z.number().nullable() }).nullable(),
      value: z.string().nullable(),
    }),
  ),
})

export const neighbourhoodSchema: z.ZodType<Neighbourhood> = z.object({
  centre: z.string(),
  vertices: z.array(
    z.object({
      ...vertex,
      hop: id,
      member: z.boolean().nullable(),
      value: z.object({ number: id, text: z.string() }).nullable(),
      x: z.number().nullable(),
      y: z.number().nullable(),
    }),
  ),
  edges: z.array(z.object({ source: id, target: id, weight: z.number().nullable(), matched: z.boolean() })),
  truncated: z.boolean(),
  limits: z.array(z.string()),
})
