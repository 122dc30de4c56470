import { computed, ref, watch, type Ref } from 'vue'
import type { CallArgs, CallResult } from '../../../electron/contract/calls.ts'
import { datasetNameSchema } from '../../../electron/contract/dataset.ts'
import { useLatest } from '../base/latest.ts'
import { ask, failureOf, type FailureValue } from '../bridge.ts'
import { useDatasets } from '../stores/datasets.ts'
import { importing as text } from '../words/words.ts'
import { filesOf, importForm as form, nameToBe, previewsOf } from './import-request.ts'

interface Seen {
  readonly preview: CallResult<'datasets.preview'> | null
  readonly failure: FailureValue | null
}

async function look(args: CallArgs<'datasets.preview'>): Promise<Seen> {
  try {
    return { preview: await ask('datasets.preview', args), failure: null }
  } catch (error) {
    return { preview: null, failure: failureOf(error) }
  }
}

function troubleOf({ preview, failure }: Seen): { key: keyof typeof text.notYet; text: string } | null {
  if (failure !== null || preview === null) return { key: 'preview', text: failure?.what ?? '' }
  if ((preview.table?.asks ?? null) !== null) return { key: 'asks', text: text.question }
  const [refusal] = preview.refusals
  return refusal === undefined ? null : { key: 'refusals', text: refusal.failure.what }
}

export function useImportCheck(open: Ref<boolean>) {
  const datasets = useDatasets()
  const files = computed(() => filesOf())
  const looked = useLatest(
    () => (open.value ? previewsOf() : []),
    (all) =>
      all.length === 0 ? null : Promise.all(all.map(look)).then((found) => ({ of: JSON.stringify(all), found })),
  )
  const seen = computed(() => looked.value?.found ?? [])
  const isSeen = computed(() => looked.value?.of === JSON.stringify(previewsOf()))

  function nameProblemOf(file: string): string | null {
    const name = nameToBe(file)
    if (name === '') return null
    const isTwice = form.together === 'many' && files.value.filter((other) => nameToBe(other) === name).length > 1
    if (isTwice) return text.nameTwice(name)
    if (datasets.byName.has(name)) return text.nameTaken(name)
    return datasetNameSchema.safeParse(name).success ? null : text.nameWrong
  }

  const isMany = computed(() => form.together === 'many' && form.more.length > 0)
  const nameProblem = computed(() => nameProblemOf(form.source))
  const nameProblems = computed(() => files.value.map((file) => (isMany.value ? nameProblemOf(file) : null)))
  const troubles = computed(() => seen.value.map(troubleOf))
  const states = computed(() =>
    seen.value.map(({ preview }, index) => {
      const bad = nameProblems.value[index] ?? troubles.value[index]?.text ?? null
      return { text: bad ?? text.readAs(preview?.format ?? ''), isBad: bad !== null }
    }),
  )

  const chosen = ref<number | null>(null)
  watch(files, () => (chosen.value = null))
  const firstTrouble = computed(() => troubles.value.findIndex((trouble) => trouble !== null))
  const shown = computed({
    get: () => Math.min(chosen.value ?? Math.max(0, firstTrouble.value), Math.max(0, files.value.length - 1)),
    set: (index) => (chosen.value = index),
  })

  /** For beside the button; null when nothing is in the way, and while nobody knows yet. */
  const reason = computed(() => {
    if (form.source === '') return text.notYet.file
    if (form.more.length > 0 && form.together === null) return text.notYet.together
    if (isMany.value ? nameProblems.value.some((problem) => problem !== null) : nameProblem.value !== null)
      return isMany.value ? text.notYet.names : text.notYet.name
    const trouble = troubles.value.find((one) => one !== null)
    return trouble === undefined || trouble === null ? null : text.notYet[trouble.key]
  })

  return { files, seen, isSeen, states, shown, nameProblem, reason }
}
