export const states = {
  queued: 'queued',
  planning: 'planning',
  running: 'running',
  cancelling: 'cancelling',
  verifying: 'verifying',
  done: 'done',
  failed: 'failed',
  cancelled: 'cancelled',
  interrupted: 'interrupted',
}

export const results = {
  kinds: {
    'independent-set': 'maximal independent set',
    matching: 'maximal weighted matching',
    values: 'a value for every vertex',
  },
  pairs: (count: string): string => `${count} pairs`,
  verified: 'verified',
  broken: (law: string): string => `not ${law}`,
  best: 'verified, the best possible',
  bound: (share: string): string => `verified, ≥ ${share} of the best`,
}
