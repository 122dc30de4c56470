import { z } from 'zod'

/** Read-only by its type; it is not frozen. */
export const list = <S extends z.ZodType>(item: S): z.ZodType<readonly z.infer<S>[]> => z.array(item)

export const texts = list(z.string())
export const numbers = list(z.number())
export const count = z.number().int().nonnegative()
/** null where it is not known. */
export const quantity = z.number().nullable()

/** Where a dataset is, and the identity of its graph. */
export interface GraphPlace {
  readonly folder: string
  readonly checksum: string
}
