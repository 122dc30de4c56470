// What the scripts that attack the program share: draws that a seed repeats, and patience.

/** @returns a function to whole numbers from 0 to below - 1 */
export function drawsFrom(seed) {
  let state = Number(seed)
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** What a promise comes to, or `otherwise` where that takes too long. */
export async function inPatience(promise, patienceMs, otherwise) {
  let timer
  const patience = new Promise((resolve) => (timer = setTimeout(() => resolve(otherwise), patienceMs)))
  const end = await Promise.race([promise, patience])
  clearTimeout(timer)
  return end
}
