const SOON_MS = 350

/**
 * Starts long work from a dialog. Settles soon: with true when it goes on (its card tells the rest), or by throwing when it was
 * refused at once, so that the dialog can say why while it is still open.
 */
export async function startWork(work: Promise<unknown>): Promise<void> {
  const soon = new Promise((settle) => setTimeout(settle, SOON_MS))
  // A failure after that is told by the card.
  work.catch(() => {})
  await Promise.race([work, soon])
}
