import { z } from 'zod'
import { faultOf, generators, type GeneratorParameter, type GraphModel } from '../../workers/contract/generators.ts'
import { MAX_SEED } from '../../workers/contract/catalogue.ts'

export { MAX_SEED, generators }

export type GenerateRequest = GraphModel & { readonly name?: string | undefined }

/** Unknown fields are left out. */
export const generateRequestSchema: z.ZodType<GenerateRequest> = z
  .looseObject({
    model: z.string(),
    seed: z.number().int().min(0).max(MAX_SEED),
    shuffle: z.boolean().optional(),
    memoryBytes: z.number().int().min(1).optional(),
    threads: z.number().int().min(1).max(256).optional(),
    name: z.string().optional(),
  })
  .transform((request, context): GenerateRequest => {
    const generator = Object.entries(generators).find(([name]) => name === request.model)?.[1]
    if (generator === undefined) {
      context.addIssue({ code: 'custom', path: ['model'], message: `there is no generator "${request.model}"` })
      return z.NEVER
    }
    const { model, seed, shuffle, memoryBytes, threads, name } = request
    const numbers: Record<string, unknown> = {}
    for (const [key, range] of Object.entries<GeneratorParameter>(generator.parameters)) {
      numbers[key] = request[key]
      const fault = faultOf(request[key], range)
      if (fault !== null) context.addIssue({ code: 'custom', path: [key], message: fault })
    }
    return { model, ...numbers, seed, shuffle, memoryBytes, threads, name } as GenerateRequest
  })
