/** A file that the person dropped or chose, as a source for `datasets.import`: its path in the window, else an upload. */
export async function takeFile(file: File): Promise<string> {
  const bridge = window.anticlique
  if (bridge?.take === undefined) throw new Error('this program takes no files from the page')
  return bridge.take(file)
}
