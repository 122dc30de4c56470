// Purpose: an invocation for each number from 0 on, in whole workgroups. A part of kernels that define each(i, lane), the lane within the workgroup;
//          numbers that are too many are theirs to leave.

const WORKGROUP = 256u;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
        @builtin(local_invocation_index) lane: u32) {
  each((group.y * groups.x + group.x) * WORKGROUP + lane, lane);
}
