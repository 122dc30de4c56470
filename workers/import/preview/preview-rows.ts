import type { FilePreview } from '../../contract/jobs.ts'

export const PREVIEW_ROWS = 20

/** What a preview shows of a file beside its format and size. */
export type PreviewRows = Pick<FilePreview, 'columns' | 'rows' | 'warnings'> & Partial<Pick<FilePreview, 'table'>>
