// `doctor --env-dir` beside Python's YAML and OpenEnv's own validation of packages.
import { expect, it } from 'vitest';
import { readYaml } from '../../src/main/openenv/packageFolder.ts';
import { validationBlockFaults } from '../../src/main/openenv/validationBlock.ts';
import { pythonRows } from './support.ts';

const HEAD = 'spec_version: 1\nname: "grid # one" # its name\ntype: space\nport: 8000\n';
const BLOCK = `validation:
  reward:
    range: [0.0, 1.0]
    floor_margin: 0.1
  resources: {cpu: 1.0, memory_mb: 1024, disk_mb: 512, episode_timeout_s: 60.0}
  capabilities:
    verifier:
      kind: reward_channel
  types:
    tags:
    - demo
`;
const with_ = (from: string, to: string): string => HEAD + BLOCK.replace(from, to);

/** Manifests that people write, right and wrong. */
const MANIFESTS: readonly string[] = [
  HEAD + BLOCK,
  HEAD,
  with_('[0.0, 1.0]', '[1.0, 0.0]'),
  with_('floor_margin: 0.1', 'floor_margin: 0.01'),
  with_('floor_margin: 0.1', 'floor_margin: 0.1\n    oracle_tolerance: 0.5'),
  with_('episode_timeout_s: 60.0', 'episode_timeout_s: 7200'),
  with_('memory_mb: 1024', 'memory_mb: 0'),
  with_('memory_mb: 1024, ', ''),
  with_('episode_timeout_s: 60.0', 'episode_timeout_s: 60.0, gpu_types: [a100]'),
  with_('kind: reward_channel', 'kind: script'),
  with_('kind: reward_channel', 'kind: script\n      entry: tests/test.sh'),
  with_('kind: reward_channel', 'kind: reward_channel\n    llm_judged: true'),
  with_('kind: reward_channel', 'kind: reward_channel\n    oracle: {form: injected_state, location: a.json}'),
  with_('kind: reward_channel', 'kind: reward_channel\n    unheard_of: 1'),
  with_('- demo', "- ''"),
  `${HEAD}${BLOCK}  network:\n    mode: allowlist\n`,
  `${HEAD}${BLOCK}  execution:\n    dockerfile: ../Dockerfile\n`,
  `${HEAD}${BLOCK}  execution:\n    kind: openenv_ws\n`,
  `${HEAD}description: |\n  Two\n  lines.\nempty:\nflag: yes\nversion: "0.1.0"\nlike: 1e3\n${BLOCK}`,
];

it('reads manifests as Python does, and accepts those that openenv validate accepts', async () => {
  const theirs = await pythonRows('openenv-0.10.0', 'validate_packages.py', [JSON.stringify(MANIFESTS)]);

  expect(MANIFESTS.map((text) => readYaml(text))).toEqual(theirs.map(({ read }) => read));
  const ours = MANIFESTS.map((text) => {
    const { validation } = readYaml(text) as { validation?: unknown };
    return validationBlockFaults(validation).length === 0 ? 'pass' : 'fail';
  });
  expect(ours).toEqual(theirs.map(({ status }) => status));
  expect(new Set(ours)).toEqual(new Set(['pass', 'fail']));
});
