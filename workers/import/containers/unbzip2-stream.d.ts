declare module 'unbzip2-stream' {
  /** Takes and gives bytes as they come, on the thread that writes them. */
  interface Unbzip2 {
    on(event: 'data', listener: (chunk: Uint8Array) => void): this
    on(event: 'error', listener: (error: unknown) => void): this
    write(chunk: Buffer): boolean
    end(): void
  }
  const unbzip2: () => Unbzip2
  export default unbzip2
}
