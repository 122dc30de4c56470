/** Why a file is read again from its start, in another way. */
export abstract class OtherReading {
  /** A sentence for the report; null where the reader itself tells. */
  readonly said: string | null = null
}
