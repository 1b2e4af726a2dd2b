// `/curriculum/next` and `/curriculum/report`: a trainer asks with how much help to play its next step, and tells what came
// of rollouts that are not seen here.
import { z } from 'zod';
import { Failure } from '../../../shared/failure.ts';
import { issueText } from '../../../shared/issueText.ts';
import type { Curriculum } from '../../training/curriculum.ts';
import { CurriculumReport, RunName } from '../../training/report.ts';
import type { EventLog } from '../../log/eventLog.ts';
import { readBody, TRANSCRIPT_VALUES_MAX } from '../expert/body.ts';
import type { GatewayDoor } from '../gateway.ts';
import { NOT_YET_RECORDED, refusalResponse } from '../refusals.ts';

const whole = (least: number, most: number) => z.number().int().min(least).max(most);
const NextStep = z.strictObject({
  run: RunName,
  step: whole(0, 1_000_000).optional(),
  group: whole(2, 1024).optional(),
});

type CurriculumDoorParts = {
  log: Pick<EventLog, 'runLarge'>;
  curriculum: Pick<Curriculum, 'next' | 'report'>;
  /** Resolves with whether all that the tap has told its clients by now is in the log. */
  recorded: () => Promise<boolean>;
};

export const createCurriculumDoor = ({ log, curriculum, recorded }: CurriculumDoorParts): GatewayDoor => ({
  handle: async (request, { key: { id, name } }) => {
    const { pathname } = new URL(request.url);
    const asked = `${request.method} ${pathname.replace(/\/$/, '')}`;
    if (asked !== 'POST /curriculum/next' && asked !== 'POST /curriculum/report') {
      const next = 'There are POST /curriculum/next and POST /curriculum/report';
      return refusalResponse('plain', {
        status: 404,
        message: `there is no ${request.method} ${pathname}`,
        next,
      });
    }
    const body = await readBody(request, log.runLarge, TRANSCRIPT_VALUES_MAX);
    if ('status' in body) {
      return refusalResponse('plain', { status: body.status === 413 ? 413 : 400, message: body.message });
    }
    if (asked === 'POST /curriculum/next') {
      const wanted = NextStep.safeParse(body.value);
      if (!wanted.success) return malformed(wanted.error, NEXT_USAGE);
      const { run, step = null, group = null } = wanted.data;
      // What has ended at the tap counts, though it may be on its way to the log still.
      if (!(await recorded())) return refusalResponse('plain', NOT_YET_RECORDED);
      return answered(() => ({ run, ...curriculum.next({ run, step, group }, { id, name }) }));
    }
    const report = CurriculumReport.safeParse(body.value);
    if (!report.success) return malformed(report.error, REPORT_USAGE);
    if (!(await recorded())) return refusalResponse('plain', NOT_YET_RECORDED);
    return answered(() => curriculum.report(report.data, { id, name }));
  },
});

const NEXT_USAGE =
  'Ask with {"run": "NAME", "step": 3, "group": 8}; only `run` is needed: docs/runs.md#curriculum';
const REPORT_USAGE = 'Nothing of the report was written. docs/runs.md#curriculum shows a whole one';

function malformed({ issues }: z.ZodError, next: string): Response {
  const words = issues.slice(0, 5).map(issueText).join('; ');
  return refusalResponse('plain', { status: 400, message: words, next });
}

function answered(work: () => unknown): Response {
  try {
    return Response.json(work(), { headers: { 'cache-control': 'no-store' } });
  } catch (thrown) {
    if (!(thrown instanceof Failure) || (thrown.code !== 'bad_input' && thrown.code !== 'unauthorized'))
      throw thrown;
    const { code, message, next } = thrown;
    const status = code === 'unauthorized' ? 403 : 400;
    return refusalResponse('plain', { status, message, ...(next === null ? {} : { next }) });
  }
}
