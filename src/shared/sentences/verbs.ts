// Verbs that tools are named by, and what stands between such a verb and its second record.

const VERBS: ReadonlySet<string> = new Set(
  (
    'accept acknowledge activate add adjust aggregate allow alter amend analyze answer append apply approve archive ' +
    'arrange ask assign attach authorize award ban batch begin block book bookmark branch broadcast browse build bulk ' +
    'buy calculate call cancel capture cast change charge check choose claim clean clear click clone close collect ' +
    'combine comment commit compare complete compute configure confirm connect consume contact contribute convert copy ' +
    'count cover create credit cut deactivate debit decide declare decline decrease define delegate delete deliver ' +
    'deny deploy deposit describe detach detect dial disable discard disconnect dismiss dispatch display dispute ' +
    'donate download draft draw drop duplicate echo edit email emit enable end enroll enrol enter escalate estimate ' +
    'evaluate exchange execute exit export extend extract fetch fill filter finalize find finish fire flag fly follow ' +
    'forward freeze fulfill fund generate get give go grant group hand handover hide hold import increase increment ' +
    'initialize initiate insert inspect install invite invoke invoice issue join jump keep kick label launch leave let ' +
    'like link list load lock log look lookup make mark match measure merge message modify monitor mount move mute ' +
    'navigate negotiate note notify open order pause pay perform pick pin place plan play post predict prepare press ' +
    'preview print process promote propose provide publish purchase push put query quote raise rate reach react read ' +
    'reallocate rebook recall receive recommend record recover redeem redo reduce refresh refund register reject ' +
    'release reload remind remove rename renew reopen reorder repeat replace reply report request reschedule ' +
    'reserve reset resize resolve respond restart restore resume retrieve retry return reverse revert review revoke ' +
    'reward roll rotate route run save scan schedule scroll search select sell send set settle share ship show sign ' +
    'simulate skip snooze solve sort split start stop store submit subscribe suggest summarize suspend swap switch sync ' +
    'synchronize tag take tap terminate test tip toggle track trade transfer transition translate trigger turn type ' +
    'unarchive unassign unban unblock undo unflag unfollow unfreeze unhold unlabel unlike unlink unlist unlock unmatch ' +
    'unmute unpin unpublish unregister unshare unsubscribe untag unwatch update upgrade upload upsert use validate ' +
    'verify view visit void vote wait walk watch withdraw write'
  ).split(' '),
);

export const isVerb = (word: string): boolean => VERBS.has(word);

/** Verbs that say what something becomes. */
export const isSetting = (verb: string): boolean => verb === 'set' || verb === 'change';
export const isMaking = (verb: string): boolean => MAKING.has(verb);
const MAKING: ReadonlySet<string> = new Set(
  'add book create insert issue make open post record register start write'.split(' '),
);

/** Words that a reader who knows no interfaces would use. */
const PLAIN_VERBS: Readonly<Record<string, string>> = {
  get: 'Look up',
  fetch: 'Look up',
  retrieve: 'Look up',
  lookup: 'Look up',
  upsert: 'Set',
};
export const verbWord = (verb: string): string =>
  Object.hasOwn(PLAIN_VERBS, verb)
    ? (PLAIN_VERBS[verb] ?? verb)
    : `${verb.charAt(0).toUpperCase()}${verb.slice(1)}`;

const JOINING: Readonly<Record<string, string>> = {
  add: 'to',
  assign: 'to',
  attach: 'to',
  deliver: 'to',
  detach: 'from',
  enroll: 'in',
  forward: 'to',
  grant: 'to',
  invite: 'to',
  label: 'with',
  link: 'to',
  match: 'with',
  move: 'to',
  register: 'for',
  remove: 'from',
  send: 'to',
  share: 'with',
  ship: 'to',
  subscribe: 'to',
  tag: 'with',
  unassign: 'from',
  unsubscribe: 'from',
};
/** What stands between the record a verb is done to and the next: a ticket is assigned to an agent. */
export const joiningWord = (verb: string): string =>
  Object.hasOwn(JOINING, verb) ? (JOINING[verb] ?? 'for') : 'for';
