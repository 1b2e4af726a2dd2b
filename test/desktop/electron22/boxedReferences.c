/* Node-API 10 keeps references to any value, Node-API 8 to objects only: here a text or number is kept in an object. */
#include <stdbool.h>
#include <stdint.h>

typedef void *napi_env, *napi_value, *napi_ref;
typedef struct {
  uint64_t lower, upper;
} napi_type_tag;
enum { OBJECT = 6, FUNCTION = 7, EXTERNAL = 8 };

int napi_typeof(napi_env, napi_value, int *);
int napi_create_object(napi_env, napi_value *);
int napi_set_named_property(napi_env, napi_value, const char *, napi_value);
int napi_get_named_property(napi_env, napi_value, const char *, napi_value *);
int napi_type_tag_object(napi_env, napi_value, const napi_type_tag *);
int napi_check_object_type_tag(napi_env, napi_value, const napi_type_tag *, bool *);
int napi_create_reference(napi_env, napi_value, uint32_t, napi_ref *);
int napi_get_reference_value(napi_env, napi_ref, napi_value *);

static const napi_type_tag BOX = {0x696e7465726a6563, 0x74626f7865640001};

int boxd_create_reference(napi_env env, napi_value value, uint32_t count, napi_ref *reference) {
  int type = 0, status = napi_typeof(env, value, &type);
  if (status != 0) return status;
  if (type == OBJECT || type == FUNCTION || type == EXTERNAL)
    return napi_create_reference(env, value, count, reference);
  napi_value box;
  if ((status = napi_create_object(env, &box)) != 0) return status;
  if ((status = napi_set_named_property(env, box, "value", value)) != 0) return status;
  if ((status = napi_type_tag_object(env, box, &BOX)) != 0) return status;
  return napi_create_reference(env, box, count, reference);
}

int boxd_get_reference_value(napi_env env, napi_ref reference, napi_value *value) {
  bool is_box = false;
  int type = 0, status = napi_get_reference_value(env, reference, value);
  if (status != 0 || *value == 0) return status;
  if ((status = napi_typeof(env, *value, &type)) != 0 || type != OBJECT) return status;
  if ((status = napi_check_object_type_tag(env, *value, &BOX, &is_box)) != 0 || !is_box) return status;
  return napi_get_named_property(env, *value, "value", value);
}

napi_value napi_register_module_v1(napi_env env, napi_value exports) { return exports; }
