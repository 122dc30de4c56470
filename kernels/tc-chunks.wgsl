// Purpose: phase 2, first step: lists the chunks of tiles that have an open vertex among their rows.
// Source:  TC-MIS (arXiv 2605.29604), section 3.2: what is decided is left out of the product.
// Reads:   records of the batch's chunks (first word, tiles, first row block, last row block), openAny, counters[previous].
// Writes:  picks, in any order, and their number in counters[picked], which was zero.
// Invariant: picks has a place for every chunk of the batch. A row block is half a word of openAny.

struct Params { chunks: u32, previous: u32, picked: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> records: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read> openAny: array<u32>;
@group(0) @binding(3) var<storage, read_write> picks: array<u32>;
@group(0) @binding(4) var<storage, read_write> counters: array<atomic<u32>>;

const WORKGROUP = 256u;

var<workgroup> picked: atomic<u32>;
var<workgroup> base: u32;

fn hasOpenRow(firstRow: u32, lastRow: u32) -> bool {
  let first = firstRow / 2u;
  let last = lastRow / 2u;
  for (var segment = first; segment <= last; segment++) {
    var rows = openAny[segment];
    if (segment == first && (firstRow & 1u) == 1u) { rows &= 0xffff0000u; }
    if (segment == last && (lastRow & 1u) == 0u) { rows &= 0x0000ffffu; }
    if (rows != 0u) { return true; }
  }
  return false;
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  let chunk = (group.y * groups.x + group.x) * WORKGROUP + lane;
  var isPicked = false;
  if (chunk < params.chunks && atomicLoad(&counters[params.previous]) != 0u) {
    let record = records[chunk];
    isPicked = hasOpenRow(record.z, record.w);
  }
  var slot = 0u;
  if (isPicked) { slot = atomicAdd(&picked, 1u); }
  workgroupBarrier();
  if (lane == 0u) { base = atomicAdd(&counters[params.picked], atomicLoad(&picked)); }
  workgroupBarrier();
  if (isPicked) { picks[base + slot] = chunk; }
}
