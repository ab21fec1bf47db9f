"""A Django REST framework site: serves the JSON arrays below LISTS and the pictures below MEDIA, with the choices of the other variables."""
import json
from functools import cache
from os import environ
from pathlib import Path

import django
from django.conf import settings

BASE = environ.get('BASE', '')
MAX_AGE = int(environ.get('MAX_AGE', 0))

settings.configure(
    ALLOWED_HOSTS=['*'],
    INSTALLED_APPS=['django.contrib.staticfiles', 'rest_framework'],
    MIDDLEWARE=['django.middleware.http.ConditionalGetMiddleware', 'django.middleware.common.CommonMiddleware'],
    REST_FRAMEWORK={'UNAUTHENTICATED_USER': None},
    ROOT_URLCONF=__name__,
    SECRET_KEY='for tests',
    STATIC_URL=f'{BASE}/static/',
    TEMPLATES=[{'BACKEND': 'django.template.backends.django.DjangoTemplates', 'APP_DIRS': True}],
)
django.setup()

from django.core.wsgi import get_wsgi_application
from django.urls import path
from django.views.decorators.cache import cache_control
from django.views.static import serve
from rest_framework import authentication, exceptions, filters, generics, pagination, permissions, serializers


class Records(list):
    def order_by(self, *terms):
        """Sorts as a queryset does, by letters without their case."""
        for term in reversed(terms):
            self.sort(key=lambda record: str(record.get(term.lstrip('-'))).lower(), reverse=term.startswith('-'))
        return self


@cache
def read(file):
    return json.loads((Path(environ['LISTS']) / f'{file}.json').read_text())


class Record(serializers.BaseSerializer):
    def to_representation(self, value):
        """Makes the addresses of pictures absolute."""
        if isinstance(value, dict):
            return {name: self.to_representation(part) for name, part in value.items()}
        if isinstance(value, list):
            return [self.to_representation(part) for part in value]
        is_path = isinstance(value, str) and value.startswith('/media/')
        return self.context['request'].build_absolute_uri(BASE + value) if is_path and not environ['RELATIVE'] else value


class Token(authentication.TokenAuthentication):
    def authenticate_credentials(self, key):
        if key != environ['TOKEN']:
            raise exceptions.AuthenticationFailed('Invalid token.')
        return None, key


class HasToken(permissions.BasePermission):
    def has_permission(self, request, view):
        return request.auth is not None


def pages(size):
    if not size:
        return None
    kind = pagination.LimitOffsetPagination if environ['OFFSETS'] else pagination.PageNumberPagination
    return type('Pages', (kind,), {'page_size': int(size), 'default_limit': int(size)})


class PublicList(generics.ListAPIView):
    authentication_classes = []
    filter_backends = [filters.OrderingFilter]
    ordering_fields = ()
    pagination_class = pages(environ['PAGE_SIZE'])
    serializer_class = Record
    name = file = None

    def get_queryset(self):
        return Records(read(self.file))


class DetailedList(PublicList):
    authentication_classes = [Token]
    pagination_class = pages(environ['V2_PAGE_SIZE'])
    permission_classes = [HasToken]


def route(view, name, file, *fields, url=None):
    handler = view.as_view(name=f'{name} List', file=file, ordering_fields=fields)
    return path(f'{BASE}/api/{url or file}/'[1:], cache_control(max_age=MAX_AGE)(handler) if MAX_AGE else handler)


urlpatterns = [
    route(PublicList, 'Bike', 'v1/bikes', 'title'),
    route(PublicList, 'Featured Bike', 'v1/featured', url='v1/bikes/featured'),
    *[route(PublicList, name, f'v1/{name.lower()}s', 'brand_name') for name in ['Wheel', 'Tyre', 'Chain', 'Groupset']],
    *[route(PublicList, name, f'v1/{name.lower()}s') for name in ['Brake', 'Saddle', 'Handlebar']],
    route(DetailedList, 'Bike', 'v2/bikes', 'title', 'year', 'price'),
    path(f'{BASE}/media/<path:path>'[1:], serve, {'document_root': environ['MEDIA']}),
]
application = get_wsgi_application()
