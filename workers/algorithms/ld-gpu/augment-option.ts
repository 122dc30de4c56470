import { Failure } from '../../base/failure.ts'

const DEFAULT_ROUNDS = 3
const MOST_ROUNDS = 1000

/** Rounds of augmentations that a quality asks for: none for `fast`. @throws Failure (usage) for anything else */
export function augmentRounds(quality: string | undefined): number {
  if (quality === undefined || quality === 'fast') return 0
  const [, rounds = String(DEFAULT_ROUNDS)] = /^augment(?::(\d{1,4}))?$/.exec(quality) ?? []
  if (quality.startsWith('augment') && /^augment(?::\d+)?$/.test(quality) && Number(rounds) <= MOST_ROUNDS)
    return Number(rounds)
  throw new Failure({
    code: 'usage',
    where: `--quality ${quality}`,
    what: 'this is no quality of a matching',
    remedy: `Use fast, or augment:3 with up to ${MOST_ROUNDS} rounds.`,
  })
}
