export { default as stagedListPart } from './staged-list.wgsl?raw'
