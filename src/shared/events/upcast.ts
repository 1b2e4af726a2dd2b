// Owns: reading what older versions wrote. Stored rows are never rewritten; nothing else tests a version.

/** The current shape of a stored event body. Pure; unknown kinds pass through for the parser to judge. */
export function upcast(stored: Record<string, unknown>): Record<string, unknown> {
  // Before answers to several asks at once there was no act to name.
  if (stored['kind'] === 'advice.approved' && !('human_act' in stored)) return { ...stored, human_act: null };
  return stored;
}
