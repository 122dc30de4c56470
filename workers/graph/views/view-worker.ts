import { workerData } from 'node:worker_threads'
import { performViewTask } from './perform-view-task.ts'
import type { MemberData } from './team.ts'
import { takePart } from './team.ts'

/** Entry of a thread that helps to build a view; it ends when no piece is left. */
const { team, task, member } = workerData as MemberData
takePart(team, member, (self) => performViewTask(task, self))
