/** What a reader throws for whatever a format's library says about damaged bytes. */
export class DamagedFile extends Error {
  constructor(error: unknown) {
    const message = error instanceof Error ? error.message : String(error)
    super(message.split('\n', 1)[0]!.slice(0, 200))
  }
}

/** Runs a library's code, whose errors are all about the file. */
export async function damagedOr<T>(read: () => Promise<T> | T): Promise<T> {
  try {
    return await read()
  } catch (error) {
    throw new DamagedFile(error)
  }
}

/** The same for code that does not wait. */
export function damagedOrNow<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw new DamagedFile(error)
  }
}
