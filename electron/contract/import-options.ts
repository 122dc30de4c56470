import { tableOptions } from '../../workers/contract/jobs.ts'

export { importOptions } from '../../workers/contract/dataset.ts'

export const tableChoices = {
  header: tableOptions.header.choices,
  encoding: tableOptions.encoding.choices,
  decimal: tableOptions.decimal.choices,
  missingWeight: tableOptions.missingWeight.choices,
  badRows: tableOptions.badRows.choices,
}
