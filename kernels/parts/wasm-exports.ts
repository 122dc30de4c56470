/** What a WebAssembly module exports, typed as the source of its text says; `code` is compiled from base64. */
export const wasmExports = <Exports>(
  code: string | WebAssembly.Module,
  host: WebAssembly.ModuleImports = {},
): Exports =>
  new WebAssembly.Instance(typeof code === 'string' ? new WebAssembly.Module(Buffer.from(code, 'base64')) : code, {
    host,
  }).exports as unknown as Exports
