import type { JobContext, Progress } from '../base/job.ts'

/** Phases by stage, in order. */
export type Stages = readonly (readonly string[])[]

export const importStages = {
  lines: [['parse'], ['build'], ['write']],
  external: [['parse', 'read'], ['labels'], ['partition'], ['build'], ['attributes', 'write']],
  copy: [
    ['read', 'copy'],
    ['attributes', 'write'],
  ],
} as const satisfies Readonly<Record<string, Stages>>

export const generatorStages: Stages = [['generate'], ['build'], ['write']]
export const latticeStages: Stages = [['write']]
export const sampleStages: Stages = [['pairs'], ['partition', 'build'], ['write']]

/** `stages` is called each time, as an import may take another way. */
export function stagedJob(job: JobContext, stages: () => Stages): JobContext {
  return {
    signal: job.signal,
    log: (message) => job.log(message),
    progress: (progress) => job.progress(withStage(progress, stages())),
  }
}

function withStage(progress: Progress, stages: Stages): Progress {
  const at = stages.findIndex((phases) => phases.includes(progress.phase))
  return at < 0 ? progress : { ...progress, stage: { number: at + 1, count: stages.length } }
}
