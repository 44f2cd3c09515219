#include "cairn/view/answers.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <optional>

namespace cairn::view {
namespace {

constexpr int default_points = 1000;
constexpr std::size_t longest_target = 256;
constexpr const char* bundle_type = "application/octet-stream";

// The page has its scripts and styles inside it, and reads from this server alone.
constexpr const char* page_policy =
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
constexpr const char* page_type = "text/html; charset=utf-8";

Answer refused(int status, const char* text) { return {status, Answer().type, std::string(text) + "\n"}; }

const char* reason_of(int status) {
  switch (status) {
    case 200: return "OK";
    case 303: return "See Other";
    case 400: return "Bad Request";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 408: return "Request Timeout";
    case 431: return "Request Header Fields Too Large";
    case 503: return "Service Unavailable";
    default: return "Internal Server Error";
  }
}

// Takes as long wherever they differ: time tells nothing about a token.
bool same_in_constant_time(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned char differ = 0;
  for (std::size_t i = 0; i < a.size(); ++i) differ |= static_cast<unsigned char>(a[i] ^ b[i]);
  return differ == 0;
}

// Decimal digits alone, nine at most: it fits an int.
std::optional<int> number(std::string_view text) {
  if (text.empty() || text.size() > 9) return std::nullopt;
  int value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    value = 10 * value + (c - '0');
  }
  return value;
}

// The number behind `name`, which must be all there is.
std::optional<int> number_after(std::string_view text, std::string_view name) {
  return text.starts_with(name) ? number(text.substr(name.size())) : std::nullopt;
}

std::optional<int> points_of(std::string_view query) {
  return query.empty() ? std::optional(default_points) : number_after(query, "?points=");
}

Answer bundle(Expected<std::string> bytes) {
  if (!bytes) return {500, Answer().type, bytes.error() + "\n"};
  return {200, bundle_type, std::move(*bytes)};
}

std::string in_brackets(const std::string& address) {
  return address.find(':') == std::string::npos ? address : "[" + address + "]";
}

bool is_numeric(std::string host) {
  unsigned char ignored[sizeof(in6_addr)];
  if (host.size() > 2 && host.front() == '[' && host.back() == ']')
    return ::inet_pton(AF_INET6, host.substr(1, host.size() - 2).c_str(), ignored) == 1;
  return ::inet_pton(AF_INET, host.c_str(), ignored) == 1;
}

// Browsers say where a request comes from. Another site may lead to the page, as a link does, and to nothing else.
bool from_another_site(const Request& request) {
  if (request.fetch_site.empty() || request.fetch_site == "same-origin" || request.fetch_site == "none") return false;
  return request.fetch_dest != "document";
}

}  // namespace

std::string head_of(const Answer& answer, bool keep_alive) {
  std::string head = fmt::format("HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\n", answer.status,
                                 reason_of(answer.status), answer.type, answer.body.size());
  head += fmt::format("Connection: {}\r\n", keep_alive ? "keep-alive" : "close");
  head +=
      "Cache-Control: no-store\r\n"
      "X-Content-Type-Options: nosniff\r\n"
      "X-Frame-Options: DENY\r\n"
      "Referrer-Policy: no-referrer\r\n"
      "Cross-Origin-Resource-Policy: same-origin\r\n"
      "Cross-Origin-Opener-Policy: same-origin\r\n";
  if (answer.status == 405) head += "Allow: GET, HEAD\r\n";
  if (!answer.location.empty()) head += fmt::format("Location: {}\r\n", answer.location);
  head += fmt::format("Content-Security-Policy: {}\r\n\r\n",
                      answer.type == page_type ? page_policy : "default-src 'none'; frame-ancestors 'none'");
  return head;
}

Hosts::Hosts(const std::string& address, int port) : port_(fmt::format(":{}", port)) {
  any_numeric_ = address == "0.0.0.0" || address == "::";
  std::vector<std::string> names{"127.0.0.1", "localhost", "[::1]"};
  if (!any_numeric_) names.push_back(in_brackets(address));
  for (const std::string& name : names) {
    names_.push_back(name + port_);
    if (port == 80) names_.push_back(name);  // browsers leave it out
  }
  shown_ = (any_numeric_ ? (address == "::" ? "[::1]" : "127.0.0.1") : in_brackets(address)) + port_;
}

bool Hosts::allow(std::string_view host) const {
  if (std::ranges::find(names_, host) != names_.end()) return true;
  if (!any_numeric_ || !host.ends_with(port_)) return false;
  return is_numeric(std::string(host.substr(0, host.size() - port_.size())));
}

Answers::Answers(Result& result, std::string page, std::string token, Hosts hosts, std::string forces)
    : result_(result),
      page_(std::move(page)),
      token_(std::move(token)),
      forces_(std::move(forces)),
      hosts_(std::move(hosts)) {}

// /TOKEN/ and what may follow.
bool Answers::names(std::string_view target, const std::string& token) const {
  const std::size_t rest = token.size() + 2;
  return !token.empty() && target.size() >= rest && target.size() <= longest_target && target[0] == '/' &&
         target[rest - 1] == '/' && same_in_constant_time(target.substr(1, token.size()), token);
}

Answer Answers::to(const Request& request) {
  if (request.hosts.size() != 1 || !hosts_.allow(request.hosts[0])) return refused(403, "forbidden");
  constexpr std::string_view scheme = "http://";
  for (const std::string_view origin : request.origins)
    if (request.origins.size() > 1 || !origin.starts_with(scheme) || !hosts_.allow(origin.substr(scheme.size())))
      return refused(403, "forbidden");
  if (from_another_site(request)) return refused(403, "forbidden");
  if (request.method == Request::Method::other) return refused(405, "only GET");
  if (request.body) return refused(400, "bad request");
  const std::string_view target = request.target;
  if (names(target, once_) && target.size() == once_.size() + 2 && request.method == Request::Method::get) {
    once_.clear();
    return {303, Answer().type, "", "/" + token_ + "/"};
  }
  if (!names(target, token_)) return {};
  const std::size_t rest = token_.size() + 2;
  const std::size_t query = std::min(target.find('?'), target.size());
  try {
    return found(target.substr(rest, query - rest), target.substr(query));
  } catch (const std::exception& e) {  // memory
    return {500, Answer().type, std::string(e.what()) + "\n"};
  }
}

Answer Answers::found(std::string_view path, std::string_view query) const {
  if (path == "timeline") {
    const auto from = query.empty() ? std::optional(0) : number_after(query, "?from=");
    return from ? bundle(result_.timeline(*from)) : Answer();
  }
  if (path == "steps") {
    const auto points = points_of(query);
    return points ? bundle(result_.steps(*points)) : Answer();
  }
  if (const auto body = number_after(path, "path/")) {
    const auto points = points_of(query);
    return points && *body < result_.bodies() ? bundle(result_.path(*body, *points)) : Answer();
  }
  if (!query.empty()) return {};
  if (path.empty()) return {200, page_type, page_};
  if (path == "forces") return {200, bundle_type, forces_};
  if (path == "cast") return bundle(result_.cast());
  if (const auto k = number_after(path, "frame/"); k && *k < result_.frames()) return bundle(result_.frame(*k));
  if (const auto k = number_after(path, "contacts/"); k && *k < result_.frames()) return bundle(result_.contacts(*k));
  return {};
}

}  // namespace cairn::view
